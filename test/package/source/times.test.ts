import { files } from '../support/source-files'

/** A name of a time, next to a comparison with an order. */
const time = String.raw`(?:[\w.?()[\]]*\.)?(?:\w*(?:At|Until|Since|Times?|Date|_at|_since|_until)|at|until|from|since|now|time)(?:\(\))?`
const order = '(?:<=?|>=?)'
const compared = new RegExp(String.raw`(?<![\w.?])${time} ${order} \S|\S ${order} ${time}(?![\w(.])`)
/** Sorts texts: a time among them is compared as a text. */
const sorted = /(?:At|Until|Since|Times?|moments?|times)\b.*\.(?:sort|toSorted)\(\)|localeCompare/
/** These are numbers: instants, and clocks of the process. */
const numbers = /\b(?:instantOf|byInstant|scheduledInstant|Date\.parse|Date\.now|performance\.now)\(|\.getTime\(\)/

/** The lines that compare times, other than as instants. */
function comparisons(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, text]) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => !/^(?:\*|\/\*|\/\/|import |readonly )/.test(line) && !numbers.test(line))
      .filter((line) => compared.test(line) || sorted.test(line))
      .map((line) => `${file}: ${line}`),
  )
}

/** The page shows times, and decides nothing by them. */
const sources = new Map([...files].filter(([file]) => !/^(?:generated|testing|page\/app)\//.test(file)))
const isOfStorage = (line: string) => line.startsWith('storage/')

/** Outside of storages, these lines compare clocks of the process, ids and versions. */
const otherNumbers = [
  'capabilities/schedule/pauses.ts: for (const [key, { until }] of this.#pauses) if (until < past) this.#pauses.delete(key)',
  'capabilities/schedule/pauses.ts: if (this.#prunedAt > past) return',
  'cli/database/schema.ts: const pending = from < latestVersion',
  'domain/steps/requirements.ts: if (upToDate > given) {',
  'kernel/host/safe-logger.ts: if (now >= loggedAt && now < loggedAt + pauseMs) return logger.debug(facts, message)',
  'kernel/log/position.ts: if (from > lastId) {',
]

describe('a comparison of times in src', () => {
  // Storages compare texts, or timestamps of the database: the years 1 to 9999 of UTC, whose texts have the order of their instants.
  it('compares instants, outside of storages', () => {
    expect(
      comparisons(sources)
        .filter((line) => !isOfStorage(line))
        .sort(),
    ).toEqual(otherNumbers)
  })
})
