import { Button, NativeSelect, TextInput } from '@mantine/core'
import { brandRadii } from '@tollgate/contract/brand'
import type { ReactNode } from 'react'
import styles from './brand.module.css'
import { brandWords as words } from './brand.texts.ts'
import { type BrandDraft, isColor } from './brand-draft.ts'

type Props = {
  draft: BrandDraft
  onChange: (changes: Partial<BrandDraft>) => void
  /** The error of a field, by its name in the brand. */
  errorOf: (name: keyof BrandDraft) => ReactNode
}

/** The colors and corners of a brand. */
export function BrandFields({ draft, onChange, errorOf }: Props) {
  return (
    <>
      <ColorField
        label={words.color}
        hint={words.colorHint}
        value={draft.color}
        error={errorOf('color')}
        onChange={(color) => onChange({ color })}
      />
      <ColorField
        label={words.background}
        hint={words.backgroundHint}
        value={draft.background}
        error={errorOf('background')}
        onChange={(background) => onChange({ background })}
      />
      <NativeSelect
        label={words.radius}
        data={[
          { value: '', label: words.radii[''] },
          ...brandRadii.map((value) => ({ value, label: words.radii[value] })),
        ]}
        value={draft.radius ?? ''}
        error={errorOf('radius')}
        onChange={(event) =>
          onChange({ radius: brandRadii.find((each) => each === event.currentTarget.value) ?? null })
        }
      />
    </>
  )
}

type ColorProps = {
  label: string
  hint: string
  value: string
  error: ReactNode
  onChange: (color: string) => void
}

/** A color as text, with the browser's own picker beside it. */
function ColorField({ label, hint, value, error, onChange }: ColorProps) {
  return (
    <div className={styles.color}>
      <TextInput
        label={label}
        description={hint}
        placeholder={words.usual}
        value={value}
        error={error}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
        leftSection={
          <input
            type="color"
            className={styles.swatch}
            aria-label={words.pick(label)}
            value={isColor(value) ? value : '#808080'}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        }
        leftSectionWidth={40}
      />
      {value === '' ? null : (
        <Button variant="default" aria-label={words.reset(label)} onClick={() => onChange('')}>
          {words.usual}
        </Button>
      )}
    </div>
  )
}
