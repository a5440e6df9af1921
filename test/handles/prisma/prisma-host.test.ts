import { describeOrmHost } from '../../support/databases/orm-host'

const packages = '../test/handles/prisma/node_modules/@prisma'

describeOrmHost('prisma', { '@prisma/client': `${packages}/client`, '@prisma/adapter-pg': `${packages}/adapter-pg` })
