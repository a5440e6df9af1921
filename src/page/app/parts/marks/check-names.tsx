import type { CheckView } from '../../../../generated'
import { isEnforced, onTrial } from '../../words/waits'
import { list } from './from'

/** The checks that must pass, before any is reported; nothing without one. */
export function CheckNames({ checks = [] }: { readonly checks: readonly CheckView[] | undefined }) {
  if (checks.length === 0) return null
  const names = checks.map((one) => (
    <>
      <bdi class="strong">{one.name}</bdi>
      {isEnforced(one) ? !one.required && ' (not required)' : ` (${onTrial})`}
    </>
  ))
  return (
    <p class="soft small">
      {checks.length === 1 ? 'Check' : 'Checks'}: {list(names, 'and')}.
    </p>
  )
}
