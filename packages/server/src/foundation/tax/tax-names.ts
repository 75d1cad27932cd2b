type Names = { readonly VAT: string; readonly 'Sales tax': string; readonly 'Consumption tax': string }

/** Names of widespread taxes in the languages of mails and documents. */
const names: Readonly<Record<string, Names>> = {
  de: { VAT: 'MwSt.', 'Sales tax': 'Verkaufssteuer', 'Consumption tax': 'Verbrauchsteuer' },
  es: { VAT: 'IVA', 'Sales tax': 'Impuesto sobre ventas', 'Consumption tax': 'Impuesto al consumo' },
  fr: { VAT: 'TVA', 'Sales tax': 'Taxe de vente', 'Consumption tax': 'Taxe sur la consommation' },
  pl: { VAT: 'VAT', 'Sales tax': 'Podatek od sprzedaży', 'Consumption tax': 'Podatek konsumpcyjny' },
  ru: { VAT: 'НДС', 'Sales tax': 'Налог с продаж', 'Consumption tax': 'Потребительский налог' },
  tr: { VAT: 'KDV', 'Sales tax': 'Satış vergisi', 'Consumption tax': 'Tüketim vergisi' },
  uk: { VAT: 'ПДВ', 'Sales tax': 'Податок з продажу', 'Consumption tax': 'Споживчий податок' },
}

/** A tax's name: "VAT"; a tax of one country, such as the GST, keeps its own name. */
export const taxName = (name: string, locale: string): string => names[locale]?.[name as keyof Names] ?? name // or none

/** A decimal percentage such as `8.875`, in the language's format. */
export const percentText = (percent: string, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }).format(Number(percent) / 100)
