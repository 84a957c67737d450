"""Who acts in an attempt. A backend knows the task's text and its workspace, and nothing of how it is judged."""
