import { RichText } from '../../parts/changes/rich-text'
import { EffectMarks } from '../../parts/changes/warning-marks'
import type { TargetItem } from '../../words/content/items'
import { effectWords } from '../../words/effects/effects'

/** What changes do, in a line for each flag or segment. */
export function EffectList({ targets }: { readonly targets: readonly TargetItem[] }) {
  return (
    <ul class="about-targets">
      {targets.map(({ key, name, changes, implied }) => (
        <li key={key} class="flow">
          <span>
            <bdi class="flag">{name}</bdi> <RichText words={effectWords(changes, implied)} />
          </span>
          <EffectMarks target={{ changes, implied }} />
        </li>
      ))}
    </ul>
  )
}
