// Runs before the first paint, so that neither a stored dark theme flashes light nor the player of the theatre mode small;
// then has the application begin right behind that paint. A file, not an inline script, for the CSP.
;(function () {
  var root = document.documentElement
  var mode = 'light'
  try {
    if (localStorage.getItem('theme') === 'dark') mode = 'dark'
    var player = JSON.parse(localStorage.getItem('kinora.player'))
    if (player && player.isTheatre === true) root.setAttribute('data-theatre', '')
  } catch {
    // Storage may be blocked or hold nonsense; the defaults hold then.
  }
  root.dataset.theme = mode
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').setAttribute('content', '#0e1213')

  // The application keeps the processor busy from its first line on: that comes behind the first drawing, and the page
  // changes only once what is in the HTML is on the screen, its picture too unless that takes long.
  var PICTURE_WAIT_MS = 150
  function begin() {
    var file = document.querySelector('link[data-begin]')
    // Some browsers draw before they have read so far.
    if (!file && document.readyState === 'loading') return addEventListener('DOMContentLoaded', begin)
    if (!file) return
    var script = document.createElement('script')
    script.type = 'module'
    script.crossOrigin = 'anonymous'
    script.src = file.href
    document.head.append(script)
  }
  /** What is needed last is not in the way of what is seen first. */
  function fetchLibraries() {
    document.querySelectorAll('link[rel="later-modulepreload"]').forEach(function (link) {
      link.rel = 'modulepreload'
    })
  }
  function isFirstPicture(entry) {
    var picture = document.querySelector('#root picture img')
    return !picture || entry.element === picture
  }
  window.firstScreenSeen = new Promise(function (resolve) {
    // A hidden page paints nothing and has nothing to wait for.
    if (document.hidden) {
      addEventListener('DOMContentLoaded', begin)
      return resolve()
    }
    requestAnimationFrame(function () {
      setTimeout(begin)
      setTimeout(resolve, PICTURE_WAIT_MS)
      // Told when it is on the screen, which is later than when it is drawn; not every browser tells.
      if (PerformanceObserver.supportedEntryTypes.indexOf('largest-contentful-paint') < 0) {
        return requestAnimationFrame(function () {
          setTimeout(resolve)
        })
      }
      new PerformanceObserver(function (list) {
        if (list.getEntries().some(isFirstPicture)) resolve()
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
  })
  window.firstScreenSeen.then(fetchLibraries)
})()
