import { Injectable, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { apiKeys, createChangeRequestRouter } from 'express-change-requests'
import { knexStorage } from 'express-change-requests/knex'
import createKnex from 'knex'

const ann = { id: 1, username: 'ann', email: 'ann@example.com' }
const grants = [{ permission: 'CREATE_CHANGE_REQUEST' }, { permission: 'READ_EVENTS' }]

@Injectable()
export class ChangeRequests implements OnModuleInit, OnApplicationShutdown {
  private readonly knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename: process.env.DATABASE_FILE ?? 'app.sqlite' },
    useNullAsDefault: true,
  })

  readonly router = createChangeRequestRouter({
    storage: knexStorage({ knex: this.knex }),
    authenticate: apiKeys([{ key: process.env.ANN_KEY ?? '', user: ann, grants }]),
    changeRequestsEnabled: ({ environment }) => environment !== 'development',
  })

  async onModuleInit(): Promise<void> {
    await this.router.migrate()
  }

  /** Nest closes the server before it calls this. */
  async onApplicationShutdown(): Promise<void> {
    await this.router.close()
    await this.knex.destroy()
  }
}

@Module({ providers: [ChangeRequests], exports: [ChangeRequests] })
export class ChangeRequestsModule {}
