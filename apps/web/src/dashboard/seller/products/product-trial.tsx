import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { Panel } from '../../parts/panel.tsx'
import type { PartProps } from './product-prices.tsx'
import { productWords } from './products.texts.ts'
import { trialUnits } from './trial-draft.ts'

const words = productWords.trial

/** The trial that subscriptions of the product begin with. A product that is sold once has none. */
export function TrialPanel({ draft, change, errorOf }: PartProps) {
  if (draft.interval === 'one_time') return null
  const { trial } = draft
  const set = (changed: Partial<typeof trial>) => change({ trial: { ...trial, ...changed } })
  return (
    <Panel title={words.title}>
      <div className="panel-fields">
        <p className="quiet">{words.hint}</p>
        <TextInput
          label={words.count}
          description={words.countHint}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={trial.count}
          error={errorOf('trial_interval_count')}
          onChange={(event) => set({ count: event.currentTarget.value })}
        />
        <NativeSelect
          label={words.unit}
          data={trialUnits.map((value) => ({ value, label: words.units[value] }))}
          value={trial.unit}
          error={errorOf('trial_interval')}
          onChange={(event) => set({ unit: trialUnits.find((unit) => unit === event.currentTarget.value) ?? 'day' })}
        />
        <Checkbox
          label={words.card}
          description={words.cardHint}
          checked={trial.needsCard}
          error={errorOf('trial_card_required')}
          onChange={(event) => set({ needsCard: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  )
}
