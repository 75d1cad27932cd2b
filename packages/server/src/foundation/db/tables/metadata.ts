/** A caller-defined map (billing contract, "Metadata"). */
export type Metadata = Record<string, string | number | boolean>

/** A buyer's answers to custom fields, by the slug of the field. */
export type FieldAnswers = Record<string, string | number | boolean | null>
