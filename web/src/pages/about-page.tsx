import { Link } from 'react-router'
import { useDocumentTitle } from '../lib/browser/use-document-title.ts'
import { paths } from '../paths.ts'
import styles from './about-page.module.css'

/** What this site is, for whom, and what becomes of what one publishes. */
export function AboutPage() {
  useDocumentTitle('About')
  return (
    <div className={styles['about']}>
      <h1>About Kinora</h1>
      <p>
        Kinora is a site for sharing and watching video that runs on a machine of its own. Whoever installed
        it here decides what it is for. There are no advertisements and no trackers, and nothing is loaded
        from other sites.
      </p>
      <div className={styles['parts']}>
        <section>
          <h2>Watching</h2>
          <p>
            Anyone can look around, search, watch and read the comments, signed in or not. A video starts in
            the quality your connection carries, every quality is there from the first minute, and skipping to
            any place is immediate. A view counts each time a video's page is opened, up to 300 an hour for
            one viewer and video. Move the pointer across a still to turn through its pictures.
          </p>
        </section>
        <section>
          <h2>Taking part</h2>
          <p>
            With <Link to={paths.register()}>an account</Link> you can publish videos, like and comment,
            subscribe to channels, and come back to what you watched. Your dashboard tells how your own videos
            are doing. What you published is yours to change and to delete; deleting a video removes its
            files, its comments and its likes.
          </p>
        </section>
        <section>
          <h2>The name</h2>
          <p>
            A Kinora was a viewer of the 1900s: a reel of photographs on a spindle, flipped past a lens by
            whoever turned the handle. The pictures never moved by themselves. They wait for you here, too.
          </p>
        </section>
        <section>
          <h2>Where it comes from</h2>
          <p>
            Kinora was specified as a practice project: a video platform that a hobbyist developer built on a
            Mongo/Express/React/Node stack. This site has the same screens and calls, and is built on
            PostgreSQL, Fastify, React and Node.
          </p>
        </section>
        <section>
          <h2>For programs</h2>
          <p>
            Everything this site does goes through a documented interface, open to your own programs:{' '}
            <a href={paths.apiDocs()}>the reference</a>. Kinora is free software under the MIT licence.
          </p>
        </section>
      </div>
    </div>
  )
}
