import { join } from 'node:path'
import { runNode, stopAll } from '../support/child'
import { root } from '../support/folders'
import { blocks, guides, readText } from '../support/markdown'

describe('the SQL in the guides', () => {
  afterAll(stopAll)

  it('runs on a Postgres with the tables of this release', async () => {
    const pieces = guides.flatMap((guide) => blocks(readText(guide)).filter(({ language }) => language === 'sql'))
    const { TEST_POSTGRES_URL } = process.env
    const args = [join(__dirname, 'run-sql.mjs'), JSON.stringify(pieces.map(({ text }) => text))]
    const env = TEST_POSTGRES_URL === undefined ? {} : { TEST_POSTGRES_URL }
    const { status, stdout, stderr } = await runNode(args, { cwd: root, env }).exit
    expect([status, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual([])
    expect(pieces.length).toBeGreaterThanOrEqual(3)
  })
})
