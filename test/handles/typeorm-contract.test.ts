import { describeOrmStorage } from '../support/databases/orm-suite'
import { typeorm } from './typeorm'

describeOrmStorage(typeorm)
