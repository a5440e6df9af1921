import { describeOrmStorage } from '../support/databases/orm-suite'
import { drizzleOrm } from './drizzle'

describeOrmStorage(drizzleOrm)
