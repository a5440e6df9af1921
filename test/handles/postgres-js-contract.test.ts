import { describeOrmStorage } from '../support/databases/orm-suite'
import { postgresJs } from './postgres-js'

describeOrmStorage(postgresJs)
