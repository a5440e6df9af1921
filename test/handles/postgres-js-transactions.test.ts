import { describeOrmTransactions } from '../support/databases/orm-suite'
import { postgresJs } from './postgres-js'

describeOrmTransactions(postgresJs)
