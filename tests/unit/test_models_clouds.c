/* SPDX-License-Identifier: MIT */
/* Clusters, infrastructure, stores and clouds. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row reads_when_nothing_is_asked_of_a_cloud_rows[] = {
	{ "kubectl version --client", "", NULL },
	{ "kubectl config current-context", "", NULL },
	{ "kubectl config get-contexts", "", NULL },
	{ "kubectl config view", "", NULL },
	{ "kubectl get --help", "", NULL },
	{ "helm version", "", NULL },
	{ "helm env", "", NULL },
	{ "terraform version", "", NULL },
	{ "terraform --version", "", NULL },
	{ "terraform fmt -check -diff", "", NULL },
	{ "terraform -help", "", NULL },
	{ "tofu version", "", NULL },
	{ "pulumi version", "", NULL },
	{ "aws --version", "", NULL },
	{ "aws help", "", NULL },
	{ "gcloud --version", "", NULL },
	{ "heroku --version", "", NULL },
	{ "ansible --version", "", NULL },
	{ "rclone version", "", NULL },
	{ "rclone listremotes", "", NULL },
	{ "consul version", "", NULL },
	{ "vercel --version", "", NULL },
	{ "packer --version", "", NULL },
};

static void
reads_when_nothing_is_asked_of_a_cloud(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, reads_when_nothing_is_asked_of_a_cloud_rows,
				     COUNT_OF(reads_when_nothing_is_asked_of_a_cloud_rows)),
			 0);
}

static const struct fixture_row asks_when_a_cluster_is_asked_or_changed_rows[] = {
	{ "kubectl get pods -A", "rule:cluster.network net", NULL },
	{ "kubectl describe pod x", "rule:cluster.network net", NULL },
	{ "kubectl logs -f x", "rule:cluster.network net", NULL },
	{ "kubectl get secrets", "rule:cluster.network net", NULL },
	{ "kubectl get secret x", "rule:cluster.network net", NULL },
	{ "kubectl version", "rule:cluster.network net", NULL },
	{ "kubectl apply -f deploy.yml", "rule:cluster.change net", NULL },
	{ "kubectl create deployment x --image y", "rule:cluster.change net", NULL },
	{ "kubectl delete pod web-0", "rule:cluster.delete net", NULL },
	{ "kubectl delete -f x.yml", "rule:cluster.delete net", NULL },
	{ "kubectl delete deployment web", "rule:cluster.delete net", NULL },
	{ "kubectl delete namespace x --dry-run=client", "rule:cluster.network net", NULL },
	{ "kubectl scale deploy x --replicas=0", "rule:cluster.change net", NULL },
	{ "kubectl drain n1", "rule:cluster.change net", NULL },
	{ "kubectl rollout restart deploy/x", "rule:cluster.change net", NULL },
	{ "kubectl port-forward x 80", "rule:cluster.network net", NULL },
	{ "kubectl cp x pod:/y", "rule:cluster.copy send:x net", NULL },
	{ "kubectl cp pod:/y .", "rule:cluster.copy extract:. net", NULL },
	{ "kubectl config use-context x", "rule:kubectl.config", NULL },
	{ "kubectl krew install x", "rule:cluster.plugin", NULL },
	{ "kubectl nosuch", "rule:cluster.plugin", NULL },
	{ "kubectl exec web-0 -- ls /", "rule:cluster.exec [kubectl exec!remote!prompt: ls /] net",
	  NULL },
	{ "kubectl exec web-0 -- rm -rf /",
	  "rule:cluster.exec [kubectl exec!remote!prompt: rm -rf /] net", NULL },
	{ "kubectl exec -it web-0 -c a -n b -- rm -rf /",
	  "rule:cluster.exec [kubectl exec!remote!prompt: rm -rf /] net", NULL },
	{ "kubectl run x --image y -- ls", "rule:cluster.exec [kubectl exec!remote!prompt: ls] net",
	  NULL },
	{ "oc get pods", "rule:cluster.network net", NULL },
	{ "oc rsh pod ls", "rule:cluster.exec [kubectl exec!remote!prompt: ls] net", NULL },
	{ "oc login x", "rule:kubectl.config net", NULL },
	{ "helm list", "rule:cluster.network net", NULL },
	{ "helm install a b", "rule:cluster.change net", NULL },
	{ "helm upgrade a b --post-renderer ./x",
	  "rule:cluster.change [helm!prompt!split sh: ./x] net", NULL },
	{ "helm uninstall x", "rule:helm.uninstall net", NULL },
	{ "helm template x", "rule:cluster.network net", NULL },
	{ "helm plugin install x", "rule:cluster.plugin", NULL },
	{ "k9s", "rule:cluster.network net", NULL },
	{ "eksctl get cluster", "rule:cluster.change", NULL },
};

static void
asks_when_a_cluster_is_asked_or_changed(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_a_cluster_is_asked_or_changed_rows,
				     COUNT_OF(asks_when_a_cluster_is_asked_or_changed_rows)),
			 0);
}

static const struct fixture_row forbids_when_a_cluster_loses_much_or_shows_secrets_rows[] = {
	{ "kubectl delete namespace prod", "rule:kubectl.delete-namespace net", NULL },
	{ "kubectl delete ns/prod", "rule:kubectl.delete-namespace net", NULL },
	{ "kubectl -n x --context y delete ns prod", "rule:kubectl.delete-namespace net", NULL },
	{ "kubectl delete pvc --all -n prod", "rule:kubectl.delete-storage net", NULL },
	{ "kubectl delete pvc x", "rule:kubectl.delete-storage net", NULL },
	{ "kubectl delete pods,pvc x", "rule:kubectl.delete-storage net", NULL },
	{ "kubectl delete all --all -A", "rule:kubectl.delete-all net", NULL },
	{ "kubectl delete pods --all", "rule:kubectl.delete-all net", NULL },
	{ "kubectl delete crd x", "rule:kubectl.delete-definition net", NULL },
	{ "kubectl delete node n1", "rule:kubectl.delete-definition net", NULL },
	{ "kubectl delete pod $x", "rule:kubectl.delete-all net unknown", NULL },
	{ "kubectl get secret x -o yaml", "rule:cluster.network rule:kubectl.secret net", NULL },
	{ "kubectl get secrets -o=jsonpath={.items}",
	  "rule:cluster.network rule:kubectl.secret net", NULL },
	{ "kubectl config view --raw", "rule:kubectl.config-raw", NULL },
	{ "kubectl create token x", "rule:cluster.change rule:kubectl.token net", NULL },
	{ "kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=y",
	  "rule:cluster.change rule:kubectl.cluster-admin net", NULL },
	{ "oc delete project x", "rule:kubectl.delete-namespace net", NULL },
	{ "oc whoami -t", "rule:kubectl.config rule:kubectl.token net", NULL },
	{ "eksctl delete cluster --name x", "rule:cluster.delete-cluster net", NULL },
	{ "kops delete cluster x", "rule:cluster.delete-cluster net", NULL },
	{ "kubeadm reset -f", "rule:cluster.reset net", NULL },
};

static void
forbids_when_a_cluster_loses_much_or_shows_secrets(void **state)
{
	(void)state;
	assert_int_equal(
		fixture_run(NULL, forbids_when_a_cluster_loses_much_or_shows_secrets_rows,
			    COUNT_OF(forbids_when_a_cluster_loses_much_or_shows_secrets_rows)),
		0);
}

static const struct fixture_row asks_when_infrastructure_changes_rows[] = {
	{ "terraform plan", "rule:infra.plan net", NULL },
	{ "terraform init", "rule:infra.plan net", NULL },
	{ "terraform apply -auto-approve", "rule:infra.apply net", NULL },
	{ "terraform validate", "rule:infra.plan net", NULL },
	{ "terraform fmt", "rule:infra.format", NULL },
	{ "terraform output", "rule:infra.plan net", NULL },
	{ "terraform state list", "rule:infra.plan net", NULL },
	{ "terraform import a b", "rule:infra.apply net", NULL },
	{ "terraform taint x", "rule:infra.apply net", NULL },
	{ "terraform force-unlock 1", "rule:infra.unlock net", NULL },
	{ "terraform workspace new x", "rule:infra.apply net", NULL },
	{ "terraform workspace delete x", "rule:infra.apply net", NULL },
	{ "terragrunt plan", "rule:infra.plan net", NULL },
	{ "pulumi up --yes", "rule:infra.apply net", NULL },
	{ "pulumi preview", "rule:infra.plan net", NULL },
	{ "pulumi stack rm x", "rule:infra.apply net", NULL },
	{ "cdk deploy", "rule:infra.apply", NULL },
	{ "serverless deploy", "rule:infra.apply", NULL },
	{ "ansible-playbook x.yml", "rule:ansible.run net", NULL },
	{ "ansible all -m ping", "rule:ansible.run net", NULL },
	{ "ansible all -m shell -a 'rm -rf /'",
	  "rule:ansible.run [ansible!remote!prompt sh: rm -rf /] net", NULL },
	{ "ansible-vault view x", "rule:ansible.vault", NULL },
	{ "salt '*' test.ping", "rule:remote.run net", NULL },
	{ "salt '*' cmd.run 'rm -rf /'", "rule:remote.run [salt!remote!prompt sh: rm -rf /] net",
	  NULL },
	{ "pdsh -w h1 'rm -rf /'", "rule:remote.run [pdsh!remote!prompt sh: rm -rf /] net", NULL },
	{ "puppet apply -e 'exec{}'", "rule:ansible.run [puppet other: exec{}] net", NULL },
	{ "packer build x", "rule:infra.plan net", NULL },
	{ "consul kv get x", "rule:store.network", NULL },
	{ "consul kv delete x", "rule:store.delete net", NULL },
	{ "etcdctl get x", "rule:store.network", NULL },
	{ "etcdctl del x", "rule:store.delete net", NULL },
	{ "nomad job run x", "rule:store.network", NULL },
	{ "nomad job stop x", "rule:store.delete net", NULL },
	{ "doppler run -- rm -rf /", "rule:secrets.run [secrets!prompt: rm -rf /]", NULL },
	{ "aws-vault exec p -- rm -rf /", "rule:secrets.run [secrets!prompt: rm -rf /]", NULL },
};

static void
asks_when_infrastructure_changes(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_infrastructure_changes_rows,
				     COUNT_OF(asks_when_infrastructure_changes_rows)),
			 0);
}

static const struct fixture_row forbids_when_infrastructure_is_destroyed_rows[] = {
	{ "terraform destroy -auto-approve", "rule:infra.destroy net", NULL },
	{ "terraform -chdir=x destroy", "rule:infra.destroy net", NULL },
	{ "terraform apply -destroy", "rule:infra.destroy net", NULL },
	{ "terraform apply -destroy=true -auto-approve", "rule:infra.destroy net", NULL },
	{ "terraform state rm a.b", "rule:infra.state-delete net", NULL },
	{ "terraform workspace delete -force x", "rule:infra.state-delete net", NULL },
	{ "tofu destroy", "rule:infra.destroy net", NULL },
	{ "terragrunt run-all destroy --terragrunt-non-interactive", "rule:infra.destroy", NULL },
	{ "terragrunt destroy-all", "rule:infra.destroy net", NULL },
	{ "pulumi destroy --yes", "rule:infra.destroy net", NULL },
	{ "pulumi stack rm x --force", "rule:infra.state-delete net", NULL },
	{ "pulumi state delete x", "rule:infra.state-delete net", NULL },
	{ "pulumi stack output --show-secrets", "rule:infra.apply rule:infra.show-secrets net",
	  NULL },
	{ "cdk destroy", "rule:infra.destroy net", NULL },
	{ "sam delete", "rule:infra.destroy net", NULL },
	{ "serverless remove", "rule:infra.destroy net", NULL },
	{ "consul kv delete -recurse x", "rule:store.delete-tree net", NULL },
	{ "etcdctl del '' --from-key", "rule:store.delete-tree net", NULL },
	{ "etcdctl del / --prefix", "rule:store.delete-tree net", NULL },
	{ "nomad job stop -purge x", "rule:store.delete-tree net", NULL },
	{ "doppler secrets download", "rule:secrets.print secret", NULL },
};

static void
forbids_when_infrastructure_is_destroyed(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, forbids_when_infrastructure_is_destroyed_rows,
				     COUNT_OF(forbids_when_infrastructure_is_destroyed_rows)),
			 0);
}

static const struct fixture_row asks_when_a_cloud_is_asked_or_changed_rows[] = {
	{ "aws s3 ls s3://bucket-x", "rule:cloud.network net", NULL },
	{ "aws s3 cp a s3://b/", "rule:cloud.network send:a net", NULL },
	{ "aws s3 cp s3://b/x .", "rule:cloud.network extract:. net", NULL },
	{ "aws s3 mv a s3://b", "rule:cloud.network send:a move:a net", NULL },
	{ "aws s3 rm s3://b/x", "rule:cloud.network rule:cloud.delete-item net", NULL },
	{ "aws s3 sync . s3://b", "rule:cloud.network send:. net", NULL },
	{ "aws s3 rm s3://b --recursive --dryrun", "rule:cloud.network net", NULL },
	{ "aws s3 sync s3://b/x ./y --delete", "rule:cloud.network sync:./y write:./y net", NULL },
	{ "aws ec2 describe-instances", "rule:cloud.network net", NULL },
	{ "aws ec2 stop-instances --instance-ids i-1", "rule:cloud.network net", NULL },
	{ "aws sqs delete-message --queue-url x", "rule:cloud.network rule:cloud.delete-item net",
	  NULL },
	{ "aws iam attach-user-policy --user-name u --policy-arn "
	  "arn:aws:iam::aws:policy/ReadOnlyAccess",
	  "rule:cloud.network rule:cloud.grant net", NULL },
	{ "aws sts get-caller-identity", "rule:cloud.network net", NULL },
	{ "aws ecr get-login-password", "rule:cloud.network secret net", NULL },
	{ "aws lambda invoke x", "rule:cloud.network net", NULL },
	{ "aws configure", "rule:cloud.network net", NULL },
	{ "aws configure list", "rule:cloud.network net", NULL },
	{ "gcloud compute instances list", "rule:cloud.network net", NULL },
	{ "gcloud config set project x", "rule:cloud.network net", NULL },
	{ "gcloud dns record-sets delete x", "rule:cloud.network rule:cloud.delete-item net",
	  NULL },
	{ "gcloud compute ssh x --command='rm -rf /'",
	  "rule:cloud.network rule:cloud.run [gcloud ssh!remote!prompt sh: rm -rf /] net", NULL },
	{ "az vm list -o table", "rule:cloud.network net", NULL },
	{ "az vm run-command invoke --scripts 'rm -rf /'",
	  "rule:cloud.network rule:cloud.run [az run-command!remote!prompt sh: rm -rf /] net",
	  NULL },
	{ "az storage blob delete -n x", "rule:cloud.network rule:cloud.delete-item net", NULL },
	{ "doctl compute droplet list", "rule:cloud.network net", NULL },
	{ "heroku ps -a x", "rule:cloud.network net", NULL },
	{ "heroku config:unset X", "rule:cloud.network net", NULL },
	{ "heroku run ls -a x",
	  "rule:cloud.network rule:cloud.run [remote!remote!prompt: ls -a x] net", NULL },
	{ "fly deploy", "rule:cloud.network net", NULL },
	{ "vercel deploy", "rule:cloud.network net", NULL },
	{ "vercel env rm X", "rule:cloud.network rule:cloud.delete-item net", NULL },
	{ "firebase deploy", "rule:cloud.network net", NULL },
	{ "supabase db push", "rule:cloud.network net", NULL },
	{ "wrangler deploy", "rule:cloud.network net", NULL },
	{ "rclone ls r:b", "rule:store.network net", NULL },
	{ "rclone copy a r:b", "rule:store.network send:a net", NULL },
	{ "rclone copy r:b .", "rule:store.network extract:. net", NULL },
	{ "rclone move a r:b", "rule:store.network send:a move:a net", NULL },
	{ "rclone sync r:b/c ./x", "rule:store.network sync:./x net", NULL },
	{ "rclone sync a r:b/c", "rule:store.network rule:store.sync send:a net", NULL },
	{ "rclone deletefile r:b/x", "rule:store.delete-object net", NULL },
	{ "rclone purge ./x", "delete-tree:./x net", NULL },
	{ "s3cmd put x s3://b", "rule:store.network send:x net", NULL },
	{ "s3cmd del s3://b/x", "rule:store.delete-object net", NULL },
	{ "gsutil cp a gs://b", "rule:store.network send:a net", NULL },
	{ "gsutil rm gs://b/x", "rule:store.delete-object net", NULL },
	{ "mc rm a/b/c", "rule:store.delete-object net", NULL },
};

static void
asks_when_a_cloud_is_asked_or_changed(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_a_cloud_is_asked_or_changed_rows,
				     COUNT_OF(asks_when_a_cloud_is_asked_or_changed_rows)),
			 0);
}

static const struct fixture_row forbids_when_a_cloud_loses_data_or_shows_secrets_rows[] = {
	{ "aws s3 rm s3://bucket-x --recursive", "rule:cloud.network rule:cloud.delete-bucket net",
	  NULL },
	{ "aws s3 rb s3://bucket-x --force", "rule:cloud.network rule:cloud.delete-bucket net",
	  NULL },
	{ "aws s3 sync ./empty s3://bucket-x --delete",
	  "rule:cloud.network rule:cloud.sync-delete send:./empty net", NULL },
	{ "aws --profile p s3 rb s3://x", "rule:cloud.network rule:cloud.delete-bucket net", NULL },
	{ "aws s3api delete-bucket --bucket x", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "aws s3api delete-objects --bucket x", "rule:cloud.network rule:cloud.delete-bucket net",
	  NULL },
	{ "aws ec2 terminate-instances --instance-ids i-0abc",
	  "rule:cloud.network rule:cloud.delete net", NULL },
	{ "aws rds delete-db-instance --db-instance-identifier p --skip-final-snapshot",
	  "rule:cloud.network rule:cloud.delete net", NULL },
	{ "aws dynamodb delete-table --table-name x", "rule:cloud.network rule:cloud.delete net",
	  NULL },
	{ "aws cloudformation delete-stack --stack-name x",
	  "rule:cloud.network rule:cloud.delete net", NULL },
	{ "aws kms schedule-key-deletion --key-id x", "rule:cloud.network rule:cloud.delete net",
	  NULL },
	{ "aws cloudtrail stop-logging --name x",
	  "rule:cloud.network rule:cloud.protection-off net", NULL },
	{ "aws iam attach-user-policy --user-name u --policy-arn "
	  "arn:aws:iam::aws:policy/AdministratorAccess",
	  "rule:cloud.network rule:cloud.grant-admin net", NULL },
	{ "aws iam create-access-key --user-name x", "rule:cloud.network rule:cloud.secret net",
	  NULL },
	{ "aws secretsmanager get-secret-value --secret-id x",
	  "rule:cloud.network rule:cloud.secret net", NULL },
	{ "aws ssm get-parameter --name x --with-decryption",
	  "rule:cloud.network rule:cloud.secret net", NULL },
	{ "aws sts assume-role --role-arn x --role-session-name y",
	  "rule:cloud.network rule:cloud.secret net", NULL },
	{ "aws configure get aws_secret_access_key", "rule:cloud.network rule:cloud.secret net",
	  NULL },
	{ "gcloud projects delete proj-x --quiet", "rule:cloud.network rule:cloud.delete net",
	  NULL },
	{ "gcloud compute instances delete x", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "gcloud --project p sql instances delete x -q",
	  "rule:cloud.network rule:cloud.delete net", NULL },
	{ "gcloud storage rm -r gs://b", "rule:cloud.network rule:cloud.delete-bucket net", NULL },
	{ "gcloud auth print-access-token", "rule:cloud.network rule:cloud.secret net", NULL },
	{ "gcloud secrets versions access latest --secret=x",
	  "rule:cloud.network rule:cloud.secret net", NULL },
	{ "gcloud projects add-iam-policy-binding p --member=user:x --role=roles/owner",
	  "rule:cloud.network rule:cloud.grant-admin net", NULL },
	{ "az group delete -n rg1 --yes", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "az vm delete -g a -n b", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "az storage account delete -n x", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "az account get-access-token", "rule:cloud.network rule:cloud.secret net", NULL },
	{ "az keyvault secret show -n x --vault-name y", "rule:cloud.network rule:cloud.secret net",
	  NULL },
	{ "az role assignment create --assignee x --role Owner",
	  "rule:cloud.network rule:cloud.grant-admin net", NULL },
	{ "doctl compute droplet delete 1", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "hcloud server delete x", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "heroku apps:destroy -a app1 --confirm app1", "rule:cloud.network rule:cloud.delete net",
	  NULL },
	{ "heroku pg:reset -a x", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "heroku auth:token", "rule:cloud.network rule:cloud.secret net", NULL },
	{ "fly apps destroy x", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "fly volumes destroy x", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "vercel remove x --yes", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "firebase firestore:delete --all-collections", "rule:cloud.network rule:cloud.delete net",
	  NULL },
	{ "supabase db reset", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "wrangler delete", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "netlify sites:delete x", "rule:cloud.network rule:cloud.delete net", NULL },
	{ "rclone purge r:b", "rule:store.delete-bucket net", NULL },
	{ "rclone delete r:b", "rule:store.delete-bucket net", NULL },
	{ "rclone sync . r:b", "rule:store.network rule:store.sync-delete send:. net", NULL },
	{ "rclone config show", "rule:store.config secret", NULL },
	{ "s3cmd rb s3://b", "rule:store.delete-bucket net", NULL },
	{ "s3cmd del --recursive s3://b", "rule:store.delete-bucket net", NULL },
	{ "gsutil -m rm -r gs://b", "rule:store.delete-bucket net", NULL },
	{ "gsutil rb gs://b", "rule:store.delete-bucket net", NULL },
	{ "mc rb --force a/b", "rule:store.delete-bucket net", NULL },
};

static void
forbids_when_a_cloud_loses_data_or_shows_secrets(void **state)
{
	(void)state;
	assert_int_equal(
		fixture_run(NULL, forbids_when_a_cloud_loses_data_or_shows_secrets_rows,
			    COUNT_OF(forbids_when_a_cloud_loses_data_or_shows_secrets_rows)),
		0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_when_nothing_is_asked_of_a_cloud),
		cmocka_unit_test(asks_when_a_cluster_is_asked_or_changed),
		cmocka_unit_test(forbids_when_a_cluster_loses_much_or_shows_secrets),
		cmocka_unit_test(asks_when_infrastructure_changes),
		cmocka_unit_test(forbids_when_infrastructure_is_destroyed),
		cmocka_unit_test(asks_when_a_cloud_is_asked_or_changed),
		cmocka_unit_test(forbids_when_a_cloud_loses_data_or_shows_secrets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
