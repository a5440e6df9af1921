import { describeOrmTransactions } from '../support/databases/orm-suite'
import { drizzleOrm } from './drizzle'

describeOrmTransactions(drizzleOrm)
