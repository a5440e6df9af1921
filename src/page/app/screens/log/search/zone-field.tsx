import { createKeptStore, useStore } from '../../../core/tools/store'
import * as times from '../../../core/tools/times'
import { utc } from './filter'

const choice = createKeptStore('ecr-log-zone', ['yours', utc])

/** The zone of the days and times of the log, without days in the filter: these have a zone of their own. */
export function useChosenZone(): string {
  return useStore(choice) === utc ? utc : times.zone
}

export function chooseZone(zone: string): void {
  if (zone === utc || zone === times.zone) choice.set(zone === times.zone ? 'yours' : utc)
}

interface ZoneFieldProps {
  readonly zone: string
  readonly onZone: (zone: string) => void
}

/** The zone of all days and times of the log, where there is another one to choose. */
export function ZoneField({ zone, onZone }: ZoneFieldProps) {
  // The address may name a third one.
  const choices = [...new Set([times.zone, utc, zone])]
  if (choices.length === 1) return null
  return (
    <select
      class="input zone"
      aria-label="Time zone"
      value={zone}
      onChange={({ currentTarget }) => onZone(currentTarget.value)}
    >
      {choices.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  )
}
