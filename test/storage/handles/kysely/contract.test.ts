import { describeOrmStorage } from '../../../support/databases/orm-suite'
import { kysely } from './kysely'

describeOrmStorage(kysely)
