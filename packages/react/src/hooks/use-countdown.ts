import { useEffect, useState } from 'react'

/**
 * Seconds left, and a way to start again. Counts once a second while the page runs; what a server rendered stands
 * still without JavaScript, which is right: the server decides anyway.
 */
export function useCountdown(initial: number): [secondsLeft: number, restart: (seconds: number) => void] {
  const [left, setLeft] = useState(initial)

  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])

  return [left, setLeft]
}

/** 75 → "1:15", the same in every language of the components. */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
