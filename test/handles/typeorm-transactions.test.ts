import { describeOrmTransactions } from '../support/databases/orm-suite'
import { typeorm } from './typeorm'

describeOrmTransactions(typeorm)
