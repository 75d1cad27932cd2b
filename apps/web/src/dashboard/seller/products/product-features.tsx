import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { ArrangedList, moved } from '../../parts/arranged-list.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type FeatureDraft, newFeature } from './product-draft.ts'
import type { PartProps } from './product-prices.tsx'
import { productWords } from './products.texts.ts'

const words = productWords.features
/** As the server limits them. */
const mostFeatures = 20
const longestFeature = 120

/** How the pricing page shows the product: its features, a line each, and whether it is the most popular. */
export function FeaturesPanel({ draft, change, errorOf }: PartProps) {
  const { features } = draft
  const added = useRef<string>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  const set = (next: readonly FeatureDraft[]) => change({ features: next })

  function addAfter(index: number) {
    if (features.length >= mostFeatures) return
    const feature = newFeature()
    added.current = feature.id
    set(features.toSpliced(index + 1, 0, feature))
  }

  return (
    <Panel title={words.title}>
      <div className="panel-fields">
        <p className="quiet">{words.hint}</p>
        {features.length > 0 ? (
          <ArrangedList
            label={words.label}
            items={features}
            idOf={({ id }) => id}
            nameOf={({ text }, index) => text.trim() || words.feature(index + 1)}
            onMove={(from, to) => set(moved(features, from, to))}
          >
            {({ id, text }, index) => (
              <>
                <TextInput
                  className="grow"
                  aria-label={words.feature(index + 1)}
                  autoComplete="off"
                  maxLength={longestFeature}
                  value={text}
                  error={errorOf(`features.${index}`)}
                  ref={(input) => {
                    if (!input || added.current !== id) return
                    added.current = undefined
                    input.focus()
                  }}
                  onChange={(event) => {
                    const { value } = event.currentTarget
                    set(features.map((each) => (each.id === id ? { ...each, text: value } : each)))
                  }}
                  onKeyDown={(event) => {
                    // Enter begins the next line, as in a list; it would save the product.
                    if (event.key !== 'Enter') return
                    event.preventDefault()
                    addAfter(index)
                  }}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={28}
                  aria-label={words.remove(text.trim() || words.feature(index + 1))}
                  onClick={() => {
                    set(features.filter((each) => each.id !== id))
                    button.current?.focus()
                  }}
                >
                  <IconX size={16} stroke={1.6} />
                </ActionIcon>
              </>
            )}
          </ArrangedList>
        ) : null}
        <div>
          <Button
            ref={button}
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
            aria-disabled={features.length >= mostFeatures || undefined}
            onClick={() => addAfter(features.length - 1)}
          >
            {words.add}
          </Button>
        </div>
        <Checkbox
          label={words.highlighted}
          description={words.highlightedHint}
          checked={draft.isHighlighted}
          error={errorOf('is_highlighted')}
          onChange={(event) => change({ isHighlighted: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  )
}
