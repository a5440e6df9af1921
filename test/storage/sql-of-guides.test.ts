import { blocks, guides, readText } from '../package/support/markdown'
import { postgres } from '../support/databases'

it('the SQL in the guides runs on a Postgres with the tables of this release', async () => {
  const pieces = guides.flatMap((guide) => blocks(readText(guide)).filter(({ language }) => language === 'sql'))
  expect(pieces.length).toBeGreaterThanOrEqual(2)
  const { knex, close } = await postgres.open()
  try {
    for (const { text } of pieces) {
      const transaction = await knex.transaction()
      await transaction.raw(text)
      await transaction.rollback()
    }
  } finally {
    await close()
  }
})
