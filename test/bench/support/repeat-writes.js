const batchSize = 500

/** When scheduled templates are due. */
const never = '2999-01-01T00:00:00.000Z'

/** When the copy with this number is due, if the times are spread. */
const dueOf = (n) => new Date(Date.parse(never) + n * 60_000).toISOString()

/** The words of the captured writes that differ in each copy. */
const words = { project: 'copied-project', flag: 'copied-flag', user: 7_777_777 }

/**
 * Stores copies of the writes that the router of this build made, each as the first version of another change request, with
 * its own author and flag, in one of `projects`. So a bench depends on no internal module.
 */
async function repeatWrites({ storage, written, count, projects, author, dueAt = never }) {
  const templates = [...written.values()].map((write) => JSON.stringify({ ...write, events: [], before: null }))
  for (let from = 0; from < count; from += batchSize) {
    const ids = await storage.nextIds('changeRequest', Math.min(batchSize, count - from))
    await Promise.all(
      ids.map(async (id, index) => {
        const n = from + index
        const write = copyOf(templates[n % templates.length], {
          n,
          project: projects[n % projects.length],
          author,
          dueAt: dueAt === 'spread' ? dueOf(n) : dueAt,
        })
        const [changeRequest, summary] = [write.changeRequest, write.summary].map((content) => ({ ...content, id }))
        await storage.commit({ ...write, changeRequest, summary, version: 1, expectedVersion: 0 })
      }),
    )
  }
}

function copyOf(text, { n, project, author, dueAt }) {
  const createdAt = new Date(1_750_000_000_000 + n * 60_000).toISOString()
  const copy = text
    .replaceAll(words.project, project)
    .replaceAll(words.flag, `copy-${n % 5_000}`)
    .replaceAll(String(words.user), String(author + n))
    .replaceAll(/"20\d\d-[^"]*Z"/g, `"${createdAt}"`)
    .replaceAll(never, dueAt)
  return JSON.parse(copy)
}

module.exports = { dueOf, never, repeatWrites, words }
