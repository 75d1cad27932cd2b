/** A post and a raised bar. When `open` turns true the bar swings up once. */
export function GateMark({ open }: { open?: boolean | undefined }) {
  return (
    <svg data-tg="gate" data-open={open || undefined} viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
      <rect data-part="plate" width="28" height="28" rx="7" />
      <path data-part="post" d="M9 8v12" />
      <path data-part="bar" d="M9 13.5 20 10" />
    </svg>
  )
}
