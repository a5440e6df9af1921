import { describeOrmHost } from '../../../support/databases/orm-host'

describeOrmHost('kysely', { kysely: 'kysely' })
