const categories = 'disabled-by-default-devtools.timeline'

/**
 * The result of the work in a page, with the longest task of its main thread in CPU time. On a busy machine a task
 * takes longer because it waits, which does not depend on the page.
 */
async function withLongestTask(page, work) {
  const session = await page.context().newCDPSession(page)
  await session.send('Tracing.start', { categories, transferMode: 'ReturnAsStream' })
  const result = await work()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  const { traceEvents } = JSON.parse(await readStream(session, (await complete).stream))
  await session.detach()
  const named = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const isMain = ({ pid, tid }) => named.some((thread) => thread.pid === pid && thread.tid === tid)
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && isMain(event))
  return { ...result, longestCpuMs: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1_000)), tasks: tasks.length }
}

async function readStream(session, handle) {
  let text = ''
  for (;;) {
    const { data, eof } = await session.send('IO.read', { handle, size: 1 << 20 })
    text += data
    if (eof) return text
  }
}

module.exports = { withLongestTask }
