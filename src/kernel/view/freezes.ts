import type { Freeze } from '../../domain/freezes/freeze'
import type { FreezeView } from '../../generated/index'

export function toFreezeView({ name, reason, from, until, when, scheduled = 'hold' }: Freeze): FreezeView {
  return { name, reason, from, until: until ?? null, when: (when ?? null) as FreezeView['when'], scheduled }
}
