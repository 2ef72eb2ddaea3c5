//! What a child process may inherit (VR-067).

use std::sync::LazyLock;

use regex::Regex;

use sidestick_model::Seam;

/// Names that look sensitive (VR-278).
#[expect(clippy::expect_used, reason = "a constant pattern, built by a test")]
static SENSITIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        "(?i)(?:(?:(?:^|_)(?:KEYS?|TOKEN|SECRETS?|PASSWORD|PASSWD|PASS|CREDENTIALS?|AUTH|SESSION",
        "|COOKIE)|_PWD)$|^(?:AWS_|AZURE_|GCLOUD_|CLOUDSDK_|GH_|GITHUB_|GITLAB_|OP_|VAULT_",
        "|NPM_CONFIG__AUTH)|^(?:GOOGLE_APPLICATION_CREDENTIALS|NPM_TOKEN|SSH_AUTH_SOCK",
        "|DOCKER_AUTH_CONFIG|KUBECONFIG)$)"
    ))
    .expect("the pattern is constant")
});

/// Returns the variables a child may have: none with a sensitive name, none whose value is one of
/// `secrets`.
pub fn for_child<'a>(
    variables: impl IntoIterator<Item = (String, String)> + 'a,
    secrets: &'a [String],
) -> impl Iterator<Item = (String, String)> + 'a {
    variables.into_iter().filter(move |(name, value)| {
        let is_secret = secrets.iter().any(|secret| !secret.is_empty() && secret == value);
        !is_secret && !SENSITIVE.is_match(name) || Seam::ChildEnvironment.is_broken()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(names: &str) -> Vec<String> {
        let variables: Vec<_> =
            names.split_whitespace().map(|name| (name.to_owned(), "x".to_owned())).collect();
        for_child(variables, &[]).map(|(name, _)| name).collect()
    }

    #[test]
    fn sensitive_names_do_not_reach_a_child_vr_067() {
        let dropped = "STRIPE_API_KEY SIGNING_KEYS GITHUB_TOKEN APP_SECRET APP_SECRETS DB_PASSWORD \
            DB_PASSWD DB_PASS DB_PWD SERVICE_CREDENTIAL PROXY_AUTH LOGIN_SESSION SITE_COOKIE \
            anthropic_api_key AWS_REGION AZURE_TENANT_ID GOOGLE_APPLICATION_CREDENTIALS GH_HOST \
            NPM_CONFIG__AUTH npm_config__authToken SSH_AUTH_SOCK OP_SERVICE_ACCOUNT KUBECONFIG";

        assert_eq!(kept(dropped), Vec::<String>::new());
    }

    #[test]
    fn ordinary_names_reach_a_child_vr_067() {
        let names = "PATH HOME NODE_ENV PWD OLDPWD MY_APP_PORT KEYBOARD_LAYOUT SESSIONS_DIR LANG";

        assert_eq!(kept(names).len(), 9);
    }

    #[test]
    fn a_copy_of_a_secret_does_not_reach_a_child_vr_282() {
        let variables = [("PUBLIC_COPY".to_owned(), "hunter2".to_owned())];

        assert_eq!(for_child(variables, &["hunter2".to_owned()]).count(), 0);
    }
}
