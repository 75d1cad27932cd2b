import styles from './sparkline.module.css'

const [width, height] = [100, 32]

/** A figure's course at a glance. The large chart and its table say the same in full, so it is decoration. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)]
  const x = (index: number) => (values.length > 1 ? (index / (values.length - 1)) * width : width)
  const y = (value: number) => 1 + (1 - (value - low) / (high - low)) * (height - 2)
  const line = (values.length > 1 ? values : [...values, ...values]).map(
    (value, index) => `${values.length > 1 ? x(index) : index * width},${y(value)}`,
  )
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.area} d={`M0,${height}L${line.join('L')}L${width},${height}Z`} />
      <path className={styles.line} d={`M${line.join('L')}`} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
