import styles from './digits.module.css'

/** A time whose digits keep their place while they change. Colons of the same width as digits would tear it apart. */
export const Digits = ({ children }: { children: string }) =>
  children.split(/(\d+)/).map((part, index) =>
    /\d/.test(part) ? (
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className={styles['digits']}>
        {part}
      </span>
    ) : (
      part
    ),
  )
