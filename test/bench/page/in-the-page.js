/* Functions that run in the browser. Each is sent as text, so it cannot use anything of this file. */

/** Records the longest task, and the time when the first event was in the document. */
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

/** Scrolls down by most of a window each frame, like a fast mouse wheel, while the pages of the log are loaded. */
async function scrollLog(durationMs) {
  window.longestMs = 0
  const end = performance.now() + durationMs
  while (performance.now() < end) {
    window.scrollBy(0, 600)
    await new Promise(requestAnimationFrame)
  }
  // Chromium reports a long task with a delay.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const places = [...document.querySelectorAll('.events > li')].map((row) => Number(row.dataset.index))
  return { longestMs: window.longestMs, events: Math.max(...places) }
}

/** Starts to wait for the events of another day; `dayShown` is the time it took. */
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
