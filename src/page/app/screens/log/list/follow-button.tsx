import { useLiveStatus } from '../../../core'
import type { Following } from './use-following'

/** Whether new events come on top by themselves. */
export function FollowButton({ isOn, toggle }: Following) {
  const status = useLiveStatus()
  const runs = status === 'live' || status === 'polling'
  return (
    <button class="btn follow" type="button" aria-pressed={isOn} onClick={toggle}>
      <span class={isOn && runs ? 'live' : 'live off'}>{isOn ? 'Following' : 'Follow'}</span>
    </button>
  )
}
