import type { Brand } from '@tollgate/contract/brand'
import { type BrandTokens, brandColors, brandTokens } from '@tollgate/contract/brand-tokens'
import styles from './brand.module.css'
import { brandWords } from './brand.texts.ts'
import { Panel } from './panel.tsx'

const words = brandWords.preview

type Props = { brand: Brand; name: string; logo: string | null }

/** A page with the brand as its fields hold it, in both schemes. */
export function BrandPreview({ brand, name, logo }: Props) {
  const tokens = brandTokens(brand)
  const used = brandColors(brand).accent?.light
  const isAdjusted = used !== undefined && used !== brand.color?.toLowerCase()
  return (
    <Panel title={words.title}>
      <Sample scheme="light" tokens={tokens} name={name} logo={logo} />
      <Sample scheme="dark" tokens={tokens} name={name} logo={logo} />
      {isAdjusted ? <p className="quiet panel-text">{words.adjusted(used)}</p> : null}
    </Panel>
  )
}

type SampleProps = { scheme: 'light' | 'dark'; tokens: BrandTokens; name: string; logo: string | null }

function Sample({ scheme, tokens, name, logo }: SampleProps) {
  return (
    <section className={styles.preview} data-tg="root" data-scheme={scheme} style={tokens}>
      <h3>{words[scheme]}</h3>
      <div className={styles.card}>
        <span className={styles.name}>
          {logo ? <img src={logo} alt="" /> : null}
          {name}
        </span>
        <span className={styles.field}>{words.field}</span>
        <span className={styles.button}>{words.button}</span>
        <span>
          {words.text} <span className={styles.link}>{words.link}</span>
        </span>
      </div>
    </section>
  )
}
