import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.module'
import { ChangeRequests } from './change-requests.module'

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule)
  app.use(app.get(ChangeRequests).router) // before the parsers of Nest, so that the limits and messages of the router hold
  app.enableShutdownHooks()
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1')
  console.log(`listening on ${await app.getUrl()}`)
}

void main()
