import type { ChangeRequest, Person, PresetSchedule, WithdrawnSchedule } from '../change-request'
import { instantOf } from '../instants'

export function pendingPreset(
  { presetSchedule }: Pick<ChangeRequest, 'presetSchedule'>,
  now: string,
): PresetSchedule | undefined {
  return presetSchedule !== undefined && endOf(presetSchedule, now) === null ? presetSchedule : undefined
}

/** Why and when a preset schedule ended; null while it is in force. That it expires is not stored. */
export function endOf({ withdrawn, expiresAt }: PresetSchedule, now: string): WithdrawnSchedule | null {
  if (withdrawn !== undefined) return withdrawn
  return instantOf(expiresAt) <= instantOf(now) ? { by: null, at: expiresAt, cause: 'expired' } : null
}

/** Ends a preset schedule that is in force. It stays readable. */
export function endPreset(
  current: ChangeRequest,
  at: string,
  cause: Exclude<WithdrawnSchedule['cause'], 'expired'>,
  by: Person | null,
): ChangeRequest {
  const preset = pendingPreset(current, at)
  return preset === undefined ? current : { ...current, presetSchedule: { ...preset, withdrawn: { by, at, cause } } }
}

export function withoutPreset(current: ChangeRequest): ChangeRequest {
  const { presetSchedule: _, ...others } = current
  return others
}

/** True after it scheduled the change request: the new state decides then. */
export function hasSamePreset(before: ChangeRequest, after: ChangeRequest): boolean {
  const [one, other] = [before.presetSchedule, after.presetSchedule]
  if (other === undefined) return one === undefined || after.state !== before.state
  return (
    one?.at === other.at &&
    one.scheduledAt === other.scheduledAt &&
    one.by.person.id === other.by.person.id &&
    one.withdrawn?.at === other.withdrawn?.at
  )
}
