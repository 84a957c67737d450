/* Sets the colour scheme that the reader chose, before anything is drawn. */
(function () {
  "use strict";
  try {
    var chosen = window.localStorage.getItem("sealbook-scheme");
    if (chosen === "light" || chosen === "dark") {
      document.documentElement.setAttribute("data-scheme", chosen);
    }
  } catch (error) {
    /* A browser that keeps nothing follows the system's scheme. */
  }
})();
