import { describeOrmTransactions } from '../../../support/databases/orm-suite'
import { kysely } from './kysely'

describeOrmTransactions(kysely)
