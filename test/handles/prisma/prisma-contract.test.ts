import { describeOrmStorage } from '../../support/databases/orm-suite'
import { prisma } from './prisma'

describeOrmStorage(prisma)
