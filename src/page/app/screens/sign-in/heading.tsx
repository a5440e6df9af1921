import type { ComponentChildren } from 'preact'
import { config } from '../../core/tools/config'
import { Icon } from '../../parts/marks/icon'

/** The head of both forms. */
export function SignInHeading({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <>
      <p class="brand">
        <Icon name="approved" />
        <bdi>{config.title}</bdi>
      </p>
      <div>
        <h1>{title}</h1>
        <p class="muted">{children}</p>
      </div>
    </>
  )
}
