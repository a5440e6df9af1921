import { Body, Controller, Get, Param, Patch } from '@nestjs/common'
import type { DescribeWrite } from 'express-change-requests'

/** Where a request below `/flags` writes. Without an environment it would mean all of them. */
export const flagPlace: DescribeWrite = ({ method, body }) =>
  method === 'GET' ? null : { project: 'default', environment: body?.environment }

@Controller('flags')
export class FlagsController {
  private readonly enabled = new Map<string, boolean>()

  @Get(':name')
  read(@Param('name') name: string): object {
    return { name, enabled: this.enabled.get(name) ?? false }
  }

  @Patch(':name')
  write(@Param('name') name: string, @Body() body: { enabled: boolean }): object {
    this.enabled.set(name, body.enabled)
    return this.read(name)
  }
}
