import { useEffect, useState } from 'preact/hooks'
import { config } from './config'

interface Message {
  readonly tab: string
  readonly kind: 'opened' | 'open' | 'closed'
}

const none: ReadonlySet<string> = new Set()

/** Whether another tab of the browser shows what has the name. */
export function useOtherTabs(name: string): boolean {
  const [tabs, setTabs] = useState(none)
  useEffect(() => {
    const own = String(crypto.getRandomValues(new Uint32Array(2)))
    const channel = new BroadcastChannel(`ecr ${config.api} ${name}`)
    const send = (kind: Message['kind']) => channel.postMessage({ tab: own, kind } satisfies Message)
    channel.onmessage = ({ data: { tab, kind } }: MessageEvent<Message>) => {
      if (kind === 'opened') send('open')
      setTabs((known) => new Set([...known].filter((one) => one !== tab).concat(kind === 'closed' ? [] : tab)))
    }
    const open = () => send('opened')
    const close = () => send('closed')
    open()
    // A closed tab unmounts nothing, and one that was left can be shown again.
    window.addEventListener('pagehide', close)
    window.addEventListener('pageshow', open)
    return () => {
      window.removeEventListener('pagehide', close)
      window.removeEventListener('pageshow', open)
      close()
      channel.close()
      setTabs(none)
    }
  }, [name])
  return tabs.size > 0
}
