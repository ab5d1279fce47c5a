import { classNames } from '../lib/class-names.ts'
import styles from './logo.module.css'

/** The mark: a stem and four leaves fanned from one hinge, reading K. */
export function Mark({ className }: { className?: string | undefined }) {
  return (
    <svg className={classNames(styles['mark'], className)} viewBox="0 0 23 30" aria-hidden="true">
      <rect className={styles['arm']} x="1.6" y="2.6" width="4.4" height="24.8" rx="1.2" />
      <rect
        className={styles['arm']}
        x="7.2"
        y="12.9"
        width="16.2"
        height="4.2"
        rx="1.2"
        transform="rotate(-46 6.6 15)"
      />
      <rect
        className={styles['arm']}
        x="7.2"
        y="12.9"
        width="16.2"
        height="4.2"
        rx="1.2"
        transform="rotate(46 6.6 15)"
      />
      <rect
        className={styles['leaf']}
        x="12.8"
        y="13.5"
        width="9.6"
        height="3"
        rx="1.2"
        transform="rotate(-15 6.6 15)"
      />
      <rect
        className={styles['leaf']}
        x="12.8"
        y="13.5"
        width="9.6"
        height="3"
        rx="1.2"
        transform="rotate(15 6.6 15)"
      />
    </svg>
  )
}

/** "Kinora", outlined, so that it never waits for a font. */
export function Wordmark({ className }: { className?: string | undefined }) {
  return (
    <svg className={classNames(styles['word'], className)} viewBox="0 -1.6 80 25" aria-hidden="true">
      <path
        fill="currentColor"
        d="M1.6 20V3.1H5.6V9.8L12.2 3.1H17.1L10.9 9.3L17.6 20H13L8.2 12L5.6 14.6V20ZM19.1 20V7.3H22.9V20ZM21 6Q19.9 6 19.2 5.3Q18.5 4.6 18.5 3.5Q18.5 2.4 19.2 1.7Q19.9 1 21 1Q22.1 1 22.8 1.7Q23.5 2.4 23.5 3.5Q23.5 4.6 22.8 5.3Q22.1 6 21 6ZM25.8 20V7.3H29.5V10.3L29.4 9.8Q30 8.5 31.1 7.7Q32.1 7 33.6 7Q35.1 7 36 7.7Q37 8.4 37.4 9.6Q37.8 10.8 37.8 12.3V20H34V12.6Q34 11.3 33.6 10.6Q33.2 9.9 32.2 9.9Q30.9 9.9 30.3 11Q29.6 12.1 29.6 14.4V20ZM46.2 20.3Q44.3 20.3 42.8 19.5Q41.3 18.6 40.5 17.1Q39.6 15.6 39.6 13.7Q39.6 11.7 40.5 10.2Q41.3 8.7 42.8 7.9Q44.3 7 46.2 7Q48.2 7 49.7 7.9Q51.1 8.7 52 10.2Q52.8 11.7 52.8 13.7Q52.8 15.6 52 17.1Q51.1 18.6 49.6 19.5Q48.2 20.3 46.2 20.3ZM46.2 17.5Q47.4 17.5 48.1 16.5Q48.8 15.4 48.8 13.7Q48.8 11.9 48.1 10.9Q47.4 9.8 46.2 9.8Q45 9.8 44.3 10.9Q43.7 11.9 43.7 13.7Q43.7 15.5 44.3 16.5Q45 17.5 46.2 17.5ZM54.8 20V7.3H58.6V10.2L58.4 9.8Q59 8.4 60.1 7.7Q61.2 7 62.5 7Q62.9 7 63.3 7.1Q63.7 7.1 64 7.3L63.8 10.5Q63 10.3 62.3 10.3Q61.6 10.3 61 10.5Q60.4 10.7 59.9 11.2Q59.3 11.8 59 12.7Q58.7 13.5 58.7 14.9V20ZM69.5 20.3Q68.3 20.3 67.2 19.9Q66.2 19.5 65.6 18.6Q64.9 17.8 64.9 16.5Q64.9 15.1 65.7 14.1Q66.5 13.2 68.1 12.7Q69.6 12.2 71.7 12.2H73.4L73.2 12.6V11.8Q73.2 10.6 72.8 10.1Q72.3 9.5 71.4 9.5Q70.5 9.5 70 10Q69.5 10.5 69.3 11.4L65.5 10.8Q65.7 9.7 66.4 8.9Q67.1 8 68.4 7.5Q69.7 7 71.6 7Q73.3 7 74.5 7.5Q75.7 8.1 76.4 9.3Q77 10.5 77 12.6V16.6Q77 17 77.1 17.1Q77.2 17.2 77.6 17.2H78.1V20H76.4Q74.9 20 74.1 19.3Q73.3 18.5 73.3 17.1V16.6L74 16.9Q73.9 17.4 73.6 18Q73.3 18.6 72.8 19.1Q72.3 19.6 71.5 20Q70.7 20.3 69.5 20.3ZM70.6 17.7Q71.4 17.7 72 17.4Q72.6 17 72.9 16.3Q73.2 15.7 73.2 14.7V14.3H71.9Q70.7 14.3 70 14.7Q69.4 15 69.1 15.4Q68.9 15.8 68.9 16.3Q68.9 16.6 69 16.9Q69.2 17.3 69.5 17.5Q69.9 17.7 70.6 17.7Z"
      />
    </svg>
  )
}
