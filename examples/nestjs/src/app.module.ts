import { Body, Controller, Get, Module, Post } from '@nestjs/common'
import { ChangeRequestsModule } from './change-requests.module'
import { FlagsController } from './flags.controller'

@Controller()
class AppController {
  @Get()
  hello(): string {
    return 'the app that was there before'
  }

  @Post('echo')
  echo(@Body() body: unknown): unknown {
    return body
  }
}

@Module({ imports: [ChangeRequestsModule], controllers: [AppController, FlagsController] })
export class AppModule {}
