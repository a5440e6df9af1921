import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { AppModule } from './app.module'
import { ChangeRequests } from './change-requests.module'
import { flagPlace } from './flags.controller'

async function main(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule)
  const { router } = app.get(ChangeRequests)
  app.use(router) // before the parsers of Nest, so that the limits and messages of the router apply
  app.useBodyParser('json') // otherwise Nest adds its parser at start, after the gate
  app.use('/flags', router.gate(flagPlace))
  app.enableShutdownHooks()
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1')
  console.log(`listening on ${await app.getUrl()}`)
}

void main()
