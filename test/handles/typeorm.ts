import { DataSource, type EntityManager, EntitySchema } from 'typeorm'
import { fromTypeorm } from '../../src/storage/handles/orms'
import type { Orm } from '../support/databases/orm-suite'

const Flag = new EntitySchema<{ name: string }>({ name: 'flags', columns: { name: { type: 'text', primary: true } } })

export const typeorm: Orm<EntityManager> = {
  name: 'TypeORM',
  transactionName:
    'an EntityManager with an open transaction, such as dataSource.transaction(async (manager) => …) provides',
  survivesFailedBegin: true,
  async open({ connectionString = '', max = 10, ...extra }) {
    const dataSource = new DataSource({
      type: 'postgres',
      url: connectionString,
      poolSize: max,
      extra,
      entities: [Flag],
    })
    await dataSource.initialize()
    const runner = dataSource.createQueryRunner()
    const finished = await dataSource.transaction(async (manager) => manager)
    return {
      client: fromTypeorm(dataSource),
      transaction: (run) => dataSource.transaction(run),
      insertFlag: (manager, name) => manager.insert(Flag, { name }),
      execute: (manager, text) => manager.query(text),
      async onPool(text) {
        const used = dataSource.createQueryRunner()
        try {
          await used.query(text)
        } finally {
          await used.release()
        }
      },
      wrong: {
        'the DataSource': dataSource,
        'its own manager': dataSource.manager,
        'a QueryRunner': runner,
        'the manager of a QueryRunner without a transaction': runner.manager,
        'the manager of a finished transaction': finished,
      },
      close: () => dataSource.destroy(),
    }
  },
}
