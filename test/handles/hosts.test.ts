import { describeOrmHost } from '../support/databases/orm-host'

const packages = '../test/handles/node_modules'

describeOrmHost('drizzle', { 'drizzle-orm': `${packages}/drizzle-orm` })
describeOrmHost('typeorm', { typeorm: `${packages}/typeorm` })
describeOrmHost('postgres-js', { postgres: `${packages}/postgres` })
