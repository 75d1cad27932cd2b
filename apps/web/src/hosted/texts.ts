import type { PageLocale } from '@tollgate/contract/pages'

/** The pages' own texts, around the components of @tollgate/react. Only the server bundle contains all of them. */
export type PageTexts = {
  /** Accessible name of the list of languages. */
  readonly languages: string
  readonly skip: string
  readonly notFoundTitle: string
  readonly notFoundText: string
  readonly failureTitle: string
  readonly tryAgain: string
}

export const pageTexts: Readonly<Record<PageLocale, PageTexts>> = {
  en: {
    languages: 'Language',
    skip: 'Skip to content',
    notFoundTitle: 'This page doesn’t exist',
    notFoundText: 'The address may be mistyped, or the page has moved.',
    failureTitle: 'This page can’t be shown right now',
    tryAgain: 'Try again',
  },
  de: {
    languages: 'Sprache',
    skip: 'Zum Inhalt springen',
    notFoundTitle: 'Diese Seite gibt es nicht',
    notFoundText: 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen.',
    failureTitle: 'Diese Seite kann gerade nicht angezeigt werden',
    tryAgain: 'Erneut versuchen',
  },
  es: {
    languages: 'Idioma',
    skip: 'Saltar al contenido',
    notFoundTitle: 'Esta página no existe',
    notFoundText: 'Puede que la dirección esté mal escrita o que la página haya cambiado de lugar.',
    failureTitle: 'Esta página no se puede mostrar en este momento',
    tryAgain: 'Reintentar',
  },
  fr: {
    languages: 'Langue',
    skip: 'Aller au contenu',
    notFoundTitle: 'Cette page n’existe pas',
    notFoundText: 'L’adresse est peut-être mal saisie, ou la page a été déplacée.',
    failureTitle: 'Cette page ne peut pas être affichée pour le moment',
    tryAgain: 'Réessayer',
  },
  pl: {
    languages: 'Język',
    skip: 'Przejdź do treści',
    notFoundTitle: 'Nie ma takiej strony',
    notFoundText: 'Adres mógł zostać wpisany z błędem albo strona została przeniesiona.',
    failureTitle: 'Nie można teraz wyświetlić tej strony',
    tryAgain: 'Spróbuj ponownie',
  },
  ru: {
    languages: 'Язык',
    skip: 'Перейти к содержанию',
    notFoundTitle: 'Такой страницы нет',
    notFoundText: 'Возможно, в адресе опечатка или страница переехала.',
    failureTitle: 'Сейчас эту страницу показать не удаётся',
    tryAgain: 'Попробовать снова',
  },
  tr: {
    languages: 'Dil',
    skip: 'İçeriğe geç',
    notFoundTitle: 'Böyle bir sayfa yok',
    notFoundText: 'Adres yanlış yazılmış veya sayfa taşınmış olabilir.',
    failureTitle: 'Bu sayfa şu anda gösterilemiyor',
    tryAgain: 'Yeniden dene',
  },
  uk: {
    languages: 'Мова',
    skip: 'Перейти до вмісту',
    notFoundTitle: 'Такої сторінки немає',
    notFoundText: 'Можливо, в адресі є помилка або сторінку перенесено.',
    failureTitle: 'Зараз цю сторінку не вдається показати',
    tryAgain: 'Спробувати ще раз',
  },
}
