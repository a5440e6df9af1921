/* What runs in the browser: each function is sent there as text, and knows nothing of this file. */

/** Keeps the longest task, and when the first event stood in the document. */
function countLongTasks() {
  window.longestMs = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestMs = Math.max(window.longestMs, duration)
  }).observe({ entryTypes: ['longtask'] })
  new MutationObserver((_, observer) => {
    if (document.querySelector('.ev-line') === null) return
    window.firstEventMs = performance.now()
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}

/** Scrolls down by most of a window each frame, as a wheel that is spun would; the pages of the log come meanwhile. */
async function scrollLog(durationMs) {
  window.longestMs = 0
  const end = performance.now() + durationMs
  while (performance.now() < end) {
    window.scrollBy(0, 600)
    await new Promise(requestAnimationFrame)
  }
  // Chromium tells of a long task only some time after it.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const places = [...document.querySelectorAll('.events > li')].map((row) => Number(row.dataset.index))
  return { longestMs: window.longestMs, events: Math.max(...places) }
}

/** Begins to wait for the events of another day; `dayShown` is how long that took. */
function afterNextLog() {
  const panel = document.querySelector('.log-panel')
  const before = panel.querySelector('.day h2').textContent
  const start = performance.now()
  window.dayShown = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (panel.querySelector('.day h2').textContent === before || panel.matches('.stale')) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now() - start))
    }).observe(panel, { attributes: true, childList: true, characterData: true, subtree: true })
  })
}

module.exports = { afterNextLog, countLongTasks, scrollLog }
