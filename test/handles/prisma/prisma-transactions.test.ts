import { describeOrmTransactions } from '../../support/databases/orm-suite'
import { prisma } from './prisma'

describeOrmTransactions(prisma)
