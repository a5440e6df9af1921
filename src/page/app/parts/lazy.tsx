import type { ComponentType } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { PageTitle } from '../core/places/title'
import { Button } from './controls/button'
import { Empty, Loading } from './messages/notice'
import { say } from './messages/status-line'

/**
 * A component whose code is loaded when it is first rendered. Until then, `Fallback` is rendered, with `failed` if there is no
 * network or the page was updated.
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Fallback: ComponentType<NoInfer<P> & { readonly failed: boolean }>,
): ComponentType<P> & { readonly load: () => Promise<unknown> } {
  let Loaded: ComponentType<P> | undefined
  function Lazy(props: P) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
    useLayoutEffect(() => {
      if (Loaded === undefined) {
        load().then(
          (component) => {
            Loaded = component
            setState('loaded')
          },
          () => setState('failed'),
        )
      }
    }, [])
    return Loaded ? <Loaded {...props} /> : <Fallback {...props} failed={state === 'failed'} />
  }
  return Object.assign(Lazy, { load })
}

/** In the place of a screen. */
export function ScreenFallback({ failed }: { readonly failed: boolean }) {
  if (!failed) return <Loading subject="the page" />
  return (
    <>
      <div class="page-head">
        <PageTitle title="Reload the page" />
      </div>
      <PartFallback failed />
    </>
  )
}

/** In the place of a part of a screen. */
export function PartFallback({ failed }: { readonly failed: boolean }) {
  if (!failed) return null
  return (
    <section class="panel edge">
      <Empty
        icon="refresh"
        title="This part of the page could not be loaded"
        actions={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        There is no network, or the page was updated. Your text is kept.
      </Empty>
    </section>
  )
}

/** In the place of a dialog. */
export function DialogFallback({ failed, onClose }: { readonly failed: boolean; readonly onClose: () => void }) {
  useLayoutEffect(() => {
    if (!failed) return
    say('The form could not be loaded. Try again.')
    onClose()
  }, [failed])
  return null
}
