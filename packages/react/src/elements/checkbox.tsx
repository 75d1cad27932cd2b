import type { InputHTMLAttributes, ReactNode } from 'react'

export type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  id: string
  name: string
  label: ReactNode
}

/** A native checkbox with its label to the side; posts `on` when it is checked. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label data-tg="checkbox" htmlFor={input.id}>
      <input {...input} type="checkbox" />
      <span>{label}</span>
    </label>
  )
}
